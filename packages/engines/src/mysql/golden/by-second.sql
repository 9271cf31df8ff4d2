SELECT CAST(DATE_FORMAT(`date`, '%Y-%m-%d %H:%i:%s') AS DATETIME) AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY CAST(DATE_FORMAT(`date`, '%Y-%m-%d %H:%i:%s') AS DATETIME)
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
