SELECT `Name` AS `Name`,
       `Horsepower` AS `Horsepower`,
       `Year` AS `Year`
FROM `cars`
ORDER BY `Horsepower` IS NULL DESC, `Horsepower` DESC,
         `Name` IS NULL ASC, `Name` ASC
LIMIT 5;
-- []
