SELECT CAST(DATE_FORMAT(`date`, '%Y-%m-%d %H:00:00') AS DATETIME) AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY CAST(DATE_FORMAT(`date`, '%Y-%m-%d %H:00:00') AS DATETIME)
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
